/** synchronized methods and blocks in one thread; monitors released by exceptions. */
public class SynchronizedBlocks {
    private final Object lock = new Object();
    private int value;
    private static int shared;

    synchronized int bump() {
        return ++value;
    }

    static synchronized int bumpShared() {
        return ++shared;
    }

    int nested() {
        synchronized (lock) {
            synchronized (this) {
                synchronized (lock) {
                    value += 10;
                    return value;
                }
            }
        }
    }

    void fails() {
        synchronized (lock) {
            throw new IllegalStateException("inside");
        }
    }

    synchronized int recursive(int n) {
        return n == 0 ? 0 : 1 + recursive(n - 1);
    }

    public static void main(String[] args) {
        SynchronizedBlocks s = new SynchronizedBlocks();
        System.out.println(s.bump() + s.bump() + bumpShared());
        System.out.println(s.nested());
        try {
            s.fails();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(s.lock));
        }
        System.out.println(s.recursive(20));
        int n = 0;
        for (int i = 0; i < 5; i++) {
            synchronized (s) {
                if (i == 1) {
                    continue;
                }
                if (i == 3) {
                    break;
                }
                n += i + 1;
            }
        }
        System.out.println(n);
        try {
            new Object().notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner");
        }
        synchronized (s) {
            s.notifyAll();
            System.out.println(Thread.holdsLock(s));
        }
    }
}

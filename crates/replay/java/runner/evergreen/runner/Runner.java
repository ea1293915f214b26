package evergreen.runner;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs test cases that come in on standard input, one after the other, and answers each with a frame on standard output.
 *
 * <p>Every case has a class loader of its own, so that statics do not leak from case to case; where there are none, cases
 * share one. One thread runs them all and another one watches the time: what hangs is reported, and the whole JVM ends,
 * because Java has no way to end a thread. The caller starts another JVM for the rest. A case that calls System.exit is
 * reported by a shutdown hook.
 *
 * <p>A frame begins with a token that the caller chose. Whatever else reaches standard output (the JVM's own warnings, code
 * that writes to the file descriptor) can therefore be told apart.
 */
public final class Runner {
    /** More printed text than this is dropped: a case that prints in an endless loop must not end as OutOfMemoryError. */
    private static final int OUTPUT_BOUND = 8 << 20;

    /** Exit status if the runner itself fails. */
    private static final int FAILED = 70;

    /** How often the time is looked at. */
    private static final int TICK_MS = 20;

    /** Number of the frame that says that cases can come. */
    private static final int READY = -1;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final byte[] token = new byte[8];
    private final PrintStream ignored = new PrintStream(OutputStream.nullOutputStream());
    private ClassPath path;
    private CaseLoader.Driver driver;
    private boolean assertions;
    /** That of the last case. */
    private CaseLoader loader;
    /** The case that runs now and has not been answered. */
    private Case current;
    private long started;

    private Runner(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    public static void main(String[] args) {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16));
        DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        try {
            new Runner(in, out).run();
        } catch (Throwable e) {
            fail(e);
        }
        // Threads that cases left behind do not keep the JVM alive.
        Runtime.getRuntime().halt(0);
    }

    private static void fail(Throwable e) {
        e.printStackTrace(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
        Runtime.getRuntime().halt(FAILED);
    }

    private void run() throws Exception {
        in.readFully(token);
        assertions = in.readBoolean();
        String[] entries = new String[in.readInt()];
        for (int i = 0; i < entries.length; i++) entries[i] = Wire.readText(in);
        path = new ClassPath(entries);
        driver = new CaseLoader.Driver(new ClassPath(new String[] {System.getProperty("java.class.path")}));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> answer(current, Case.EXITED)));
        send(READY, new ByteArrayOutputStream());
        Thread worker = new Thread(this::work, "main");
        worker.setDaemon(true);
        worker.start();
        while (worker.isAlive()) {
            worker.join(TICK_MS);
            Case late = late();
            if (late != null) {
                answer(late, Case.TIMED_OUT);
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /** The running case, if it has had its time. */
    private synchronized Case late() {
        boolean isLate = current != null && System.nanoTime() - started > current.limitMs * 1_000_000L;
        return isLate ? current : null;
    }

    private void work() {
        try {
            while (in.readBoolean()) {
                Case next = Case.read(in);
                start(next);
                next.run();
                answer(next, next.kind);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void start(Case next) {
        if (loader == null || !loader.isSpotless()) {
            loader = new CaseLoader(path, driver);
            loader.setDefaultAssertionStatus(assertions);
        }
        next.loader = loader;
        Thread.interrupted();
        Thread.currentThread().setContextClassLoader(loader);
        System.setOut(new PrintStream(next.printed, false, StandardCharsets.UTF_8));
        System.setErr(ignored);
        synchronized (this) {
            current = next;
            started = System.nanoTime();
        }
    }

    /** Writes the answer of a case, once. */
    private synchronized void answer(Case answered, int kind) {
        if (answered == null || answered != current) return;
        current = null;
        try {
            System.out.flush();
            byte[] output = answered.printed.take();
            ByteArrayOutputStream buffer = new ByteArrayOutputStream(64 + output.length);
            DataOutputStream frame = new DataOutputStream(buffer);
            frame.writeByte(kind);
            if (kind == answered.kind) frame.write(answered.ending.toByteArray());
            frame.writeInt(output.length);
            frame.write(output);
            answered.loader.writeProbes(frame);
            send(answered.index, buffer);
        } catch (IOException e) {
            // Nobody listens any more.
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private void send(int index, ByteArrayOutputStream payload) throws IOException {
        out.write(token);
        out.writeInt(index);
        out.writeInt(payload.size());
        payload.writeTo(out);
        out.flush();
    }

    /** What a case printed. */
    static final class Printed extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            if (bytes.size() < OUTPUT_BOUND) bytes.write(b);
        }

        @Override
        public synchronized void write(byte[] from, int offset, int length) {
            int room = Math.max(0, OUTPUT_BOUND - bytes.size());
            bytes.write(from, offset, Math.min(length, room));
        }

        synchronized byte[] take() {
            return bytes.toByteArray();
        }
    }
}

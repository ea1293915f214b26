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
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Runs test cases that come in on a stream, one after the other, and answers each with a frame on another one.
 *
 * <p>Every case has a class loader of its own, so that statics do not leak from case to case; where there are none, cases
 * share one. One thread runs them all and another one watches the time: what hangs is reported, and the whole JVM ends,
 * because Java has no way to end a thread. The caller starts another JVM for the rest. A case that calls System.exit is
 * reported by a shutdown hook.
 *
 * <p>A frame begins with a token that the caller chose. Whatever else reaches standard output (the JVM's own warnings, code
 * that writes to the file descriptor) can therefore be told apart. Frames are kept back for a tick, since a write for each
 * is a good part of what a small case costs; the caller may ask for each at once, where it must know which case ended a JVM.
 */
public final class Runner {
    /** More printed text than this is dropped: a case that prints in an endless loop must not end as OutOfMemoryError. */
    private static final int OUTPUT_BOUND = 8 << 20;

    /** Exit status if the runner itself fails. */
    static final int FAILED = 70;

    /** How often the time is looked at. */
    private static final int TICK_MS = 20;

    /** Number of the frame that says that cases can come. */
    private static final int READY = -1;

    // What comes next from the caller; the numbers are part of the protocol.
    private static final int NO_MORE = 0;
    private static final int CASE = 1;
    private static final int FLUSH = 2;

    /** What a shutdown hook reports for. */
    private static volatile Runner active;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final byte[] token = new byte[8];
    private final PrintStream ignored = new PrintStream(OutputStream.nullOutputStream());
    private ClassPath path;
    private CaseLoader.Driver driver;
    private final ThreadGroup threads = new ThreadGroup("main");
    private boolean assertions;
    private boolean atOnce;
    /** That of the last case. */
    private CaseLoader loader;
    /** Where the last case printed. */
    private Screen screen;
    /** The case that runs now and has not been answered. */
    private Case current;
    private long started;
    /** Whether a case met the end of memory or stack: then nothing else should run here. */
    private boolean exhausted;
    /** Why no more cases came, if not because the caller said so. */
    private volatile IOException cut;

    private Runner(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Without arguments for one caller, on standard input and output; else see {@link Server}. */
    public static void main(String[] args) {
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(Runner::exiting));
        try {
            if (args.length > 0) {
                Server.run(args[0], Long.parseLong(args[1]));
            } else {
                Runner runner = on(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
                runner.run();
                if (runner.cut != null) throw runner.cut;
            }
        } catch (Throwable e) {
            fail(e);
        }
        // Threads that cases left behind do not keep the JVM alive.
        Runtime.getRuntime().halt(0);
    }

    static Runner on(InputStream in, OutputStream out) {
        return new Runner(
                new DataInputStream(new BufferedInputStream(in, 1 << 16)),
                new DataOutputStream(new BufferedOutputStream(out, 1 << 16)));
    }

    static void fail(Throwable e) {
        e.printStackTrace(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
        Runtime.getRuntime().halt(FAILED);
    }

    private static void exiting() {
        Runner runner = active;
        if (runner == null) return;
        runner.answer(runner.current, Case.EXITED);
        runner.flush();
    }

    /** Runs the cases of one caller. */
    void run() throws Exception {
        in.readFully(token);
        assertions = in.readBoolean();
        atOnce = in.readBoolean();
        String[] entries = new String[in.readInt()];
        for (int i = 0; i < entries.length; i++) entries[i] = Wire.readText(in);
        driver = new CaseLoader.Driver(new ClassPath(new String[] {System.getProperty("java.class.path")}));
        path = new ClassPath(entries);
        active = this;
        send(READY, new ByteArrayOutputStream());
        flush();
        Thread worker = new Thread(threads, this::work, "main");
        worker.setDaemon(true);
        worker.start();
        while (worker.isAlive()) {
            worker.join(TICK_MS);
            Case late = late();
            if (late != null) {
                answer(late, Case.TIMED_OUT);
                flush();
                Runtime.getRuntime().halt(0);
            }
            flush();
        }
        active = null;
        path.close();
    }

    /** Whether no thread of a case is left, and none met the end of memory or stack. */
    boolean leavesNothing() {
        return !exhausted && threads.activeCount() == 0;
    }

    /** The running case, if it has had its time. */
    private synchronized Case late() {
        boolean isLate = current != null && System.nanoTime() - started > current.limitMs * 1_000_000L;
        return isLate ? current : null;
    }

    private void work() {
        try {
            for (int next = in.readByte(); next != NO_MORE; next = in.readByte()) {
                if (next == CASE) {
                    Case read = Case.read(in);
                    start(read);
                    read.run();
                    exhausted |= read.exhausted;
                    answer(read, read.kind);
                    if (atOnce) flush();
                } else if (next == FLUSH) {
                    flush();
                } else {
                    throw new IOException("no such request: " + next);
                }
            }
        } catch (IOException e) {
            cut = e;
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
        if (screen == null || screen.closed) screen = new Screen(new Printed());
        next.printed = screen.printed;
        System.setOut(screen);
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
            screen.flush();
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

    private synchronized void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private void send(int index, ByteArrayOutputStream payload) throws IOException {
        out.write(token);
        out.writeInt(index);
        out.writeInt(payload.size());
        payload.writeTo(out);
    }

    /** Where a case prints. The next one gets the same, unless it was closed: its buffers are 25 KB. */
    private static final class Screen extends PrintStream {
        final Printed printed;
        volatile boolean closed;

        Screen(Printed printed) {
            super(printed, false, StandardCharsets.UTF_8);
            this.printed = printed;
        }

        @Override
        public void close() {
            closed = true;
            super.close();
        }
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
            byte[] taken = bytes.toByteArray();
            bytes.reset();
            return taken;
        }
    }
}

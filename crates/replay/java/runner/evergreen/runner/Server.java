package evergreen.runner;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A JVM that stays: runs the cases of one caller after another, each with class loaders, class path and driver API of its
 * own, and ends by itself when nobody came for a while.
 *
 * <p>Callers send only programs that cannot change the JVM for those after them. What could be left all the same is looked
 * for: threads, and the end of memory or stack. After that, after System.exit and after a case that hangs this JVM ends, and
 * a caller starts another one.
 *
 * <p>The socket lies in a folder that only its user can enter. Whoever connects sends a byte: {@code Q} to end this JVM, or
 * {@code R} to run cases, which come after the same byte was sent back. A second caller at the same time is left alone and
 * starts a JVM of its own.
 */
final class Server {
    private static final AtomicBoolean BUSY = new AtomicBoolean();
    private static volatile long lastUsed = System.nanoTime();

    private Server() {}

    static void run(String place, long idleMs) throws Exception {
        ServerSocketChannel server = bind(place);
        start("idle", () -> endWhenIdle(idleMs));
        while (true) {
            SocketChannel caller = server.accept();
            start("caller", () -> serve(caller));
        }
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Sockets that are files came with Java 16, and this is compiled for 11. */
    private static ServerSocketChannel bind(String place) throws ReflectiveOperationException, IOException {
        Class<?> address = Class.forName("java.net.UnixDomainSocketAddress");
        SocketAddress here = (SocketAddress) address.getMethod("of", String.class).invoke(null, place);
        ProtocolFamily unix = StandardProtocolFamily.valueOf("UNIX");
        ServerSocketChannel server = (ServerSocketChannel)
                ServerSocketChannel.class.getMethod("open", ProtocolFamily.class).invoke(null, unix);
        server.bind(here);
        return server;
    }

    private static void endWhenIdle(long idleMs) {
        while (true) {
            long left = BUSY.get() ? idleMs : idleMs - (System.nanoTime() - lastUsed) / 1_000_000;
            if (left <= 0) Runtime.getRuntime().halt(0);
            try {
                Thread.sleep(left);
            } catch (InterruptedException e) {
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private static void serve(SocketChannel caller) {
        try (SocketChannel channel = caller) {
            Input in = new Input(channel);
            int wanted = in.read();
            if (wanted == 'Q') Runtime.getRuntime().halt(0);
            if (wanted == 'R' && BUSY.compareAndSet(false, true)) runAll(in, new Output(channel));
        } catch (IOException e) {
            // The caller is gone, before any case.
        } catch (Throwable e) {
            Runner.fail(e);
        }
    }

    private static void runAll(Input in, Output out) throws Exception {
        try {
            out.write('R');
            Runner runner = Runner.on(in, out);
            runner.run();
            if (!runner.leavesNothing()) Runtime.getRuntime().halt(0);
        } finally {
            lastUsed = System.nanoTime();
            BUSY.set(false);
        }
    }

    /** Streams of {@code Channels} cannot be read while they are written. */
    private static final class Input extends InputStream {
        private final SocketChannel channel;

        Input(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(into, offset, length));
        }
    }

    private static final class Output extends OutputStream {
        private final SocketChannel channel;

        Output(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(from, offset, length);
            while (rest.hasRemaining()) channel.write(rest);
        }
    }
}

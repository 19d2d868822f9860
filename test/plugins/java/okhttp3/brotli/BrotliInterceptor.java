package okhttp3.brotli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import okhttp3.CompressionInterceptor;
import okhttp3.Gzip;
import okhttp3.Interceptor;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;

/** Accepts Brotli and gzip, as the module okhttp-brotli does. The program `brotli` decompresses. */
public class BrotliInterceptor {

    public static final Interceptor INSTANCE = new CompressionInterceptor(new Brotli(), Gzip.INSTANCE);

    private static class Brotli implements CompressionInterceptor.DecompressionAlgorithm {

        @Override
        public String getEncoding() {
            return "br";
        }

        @Override
        public Source decompress(BufferedSource compressed) {
            try {
                Process brotli = new ProcessBuilder("brotli", "--decompress", "--stdout").start();
                Thread writer = new Thread(() -> write(compressed, brotli));
                writer.setDaemon(true);
                writer.start();
                return Okio.source(new Output(brotli));
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }

        private static void write(BufferedSource compressed, Process brotli) {
            try (InputStream from = compressed.inputStream(); OutputStream to = brotli.getOutputStream()) {
                from.transferTo(to);
            } catch (IOException cut) {
                // The program then ends with an error, which the reader sees.
                brotli.destroy();
            }
        }
    }

    /** What the program prints; a damaged body is an error at its end. */
    private static class Output extends java.io.FilterInputStream {

        private final Process brotli;

        Output(Process brotli) {
            super(brotli.getInputStream());
            this.brotli = brotli;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (count < 0) check();
            return count;
        }

        private void check() throws IOException {
            try {
                if (brotli.waitFor() != 0) throw new IOException("The body is not valid Brotli.");
            } catch (InterruptedException error) {
                throw new IOException(error);
            }
        }
    }
}

package evergreen.runner;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Where classes come from. Their bytes are read once, however many loaders define them. */
final class ClassPath {
    /** Directories as File, jars as JarFile, in order. */
    private final List<Object> places = new ArrayList<>();

    private final Map<String, byte[]> bytes = new HashMap<>();

    ClassPath(String[] entries) throws IOException {
        for (String entry : entries) {
            File file = new File(entry);
            if (file.isDirectory()) places.add(file);
            else if (file.isFile()) places.add(new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version()));
        }
    }

    /** The bytes of a file of the class path, or null. */
    synchronized byte[] read(String name) {
        return bytes.computeIfAbsent(name, this::readFirst);
    }

    private byte[] readFirst(String name) {
        for (Object place : places) {
            try {
                if (place instanceof File) {
                    File file = new File((File) place, name);
                    if (file.isFile()) return Files.readAllBytes(file.toPath());
                } else {
                    ZipEntry entry = ((JarFile) place).getEntry(name);
                    if (entry == null) continue;
                    try (InputStream in = ((JarFile) place).getInputStream(entry)) {
                        return in.readAllBytes();
                    }
                }
            } catch (IOException e) {
                // As the JVM's own loaders do: what cannot be read is not there.
                continue;
            }
        }
        return null;
    }

    /** Closes the jars. */
    void close() throws IOException {
        for (Object place : places) {
            if (place instanceof JarFile) ((JarFile) place).close();
        }
    }

    /** Where a resource is, in every place that has it. */
    List<URL> locate(String name) {
        List<URL> found = new ArrayList<>();
        for (Object place : places) {
            try {
                if (place instanceof File) {
                    File file = new File((File) place, name);
                    if (file.exists()) found.add(file.toURI().toURL());
                } else if (((JarFile) place).getEntry(name) != null) {
                    URI jar = new File(((JarFile) place).getName()).toURI();
                    found.add(new URL("jar:" + jar + "!/" + name));
                }
            } catch (MalformedURLException e) {
                continue;
            }
        }
        return found;
    }
}

package android.util;

public class Base64 {

    public static final int DEFAULT = 0;

    /** Ignores white space, as Android does, and nothing else. */
    public static byte[] decode(String text, int flags) {
        return java.util.Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    }
}

package android.text;

public class TextUtils {

    public static String join(CharSequence delimiter, Object[] tokens) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < tokens.length; i++) text.append(i == 0 ? "" : delimiter).append(tokens[i]);
        return text.toString();
    }
}

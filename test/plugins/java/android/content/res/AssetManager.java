package android.content.res;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import slipway.Phone;

/** The files that the app was installed with, in a folder. */
public class AssetManager {

    public String[] list(String path) throws IOException {
        String[] names = new File(Phone.folder("assets"), path).list();
        return names == null ? new String[0] : names;
    }

    public InputStream open(String path) throws IOException {
        return new FileInputStream(new File(Phone.folder("assets"), path));
    }
}

package android.app;

import android.content.Context;

public class Activity extends Context {}

/*
 * The only file that imports `@bacons/xcode`, which has one maintainer and is an alpha. Plan B: for project files `xcode` of
 * Apache Cordova, which reads and writes the same grammar (`plutil -convert json` of macOS only reads it, and runners on Linux
 * lack it); for .xcconfig files, whose lines are includes and settings, a parser of our own.
 */
export { build as buildProject, parse as parseProject } from '@bacons/xcode/json';
export { parse as parseSettings } from '@bacons/xcode/xcconfig';

/** The package's folder, from `src` as from the built files: both stand one level below it. */
export const PACKAGE_ROOT: URL = new URL("../", import.meta.url);

/** Where our own program finds its endpoint, and any program its key. */
export const ENDPOINT = 'YARNBOARD_ENDPOINT';
export const KEY = 'YARNBOARD_RUNTIME_KEY';

/** The wire name `parent_uuid` for `parentUuid`. Digits begin a word: `cacheWrite5mTokens` is `cache_write_5m_tokens`. */
export const snakeOf = (key: string): string => key.replace(SEAM, '_').toLowerCase();

const SEAM = /(?<=[A-Za-z])(?=[0-9])|(?<!^)(?=[A-Z])/gu;

export const camelOf = (key: string): string => key.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());

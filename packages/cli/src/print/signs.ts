type Env = Readonly<Record<string, string | undefined>>;

/** CLI-62: where the locale says that a terminal shows no Unicode, signs are of ASCII. The word beside each tells the same. */
export const withShownSigns = (text: string, env: Env): string =>
  showsUnicode(env) ? text : text.replaceAll(/[✓✗](?= \p{L})/gu, (sign) => (sign === '✓' ? '+' : 'x'));

/** The first of these that is set counts. Where none is, most terminals show it nowadays. */
const showsUnicode = (env: Env): boolean => {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => env[name] ?? '').find((value) => value !== '');
  return locale === undefined || /utf-?8/iu.test(locale);
};

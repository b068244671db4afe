type Env = Readonly<Record<string, string | undefined>>;

/** CLI-62: ASCII signs if the locale says that the terminal shows no Unicode. The word beside each sign says the same. */
export const withShownSigns = (text: string, env: Env): string =>
  showsUnicode(env) ? text : text.replaceAll(/[✓✗](?= \p{L})/gu, (sign) => (sign === '✓' ? '+' : 'x'));

/** The first of these that is set counts. If none is, assume Unicode, as most terminals show it. */
const showsUnicode = (env: Env): boolean => {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => env[name] ?? '').find((value) => value !== '');
  return locale === undefined || /utf-?8/iu.test(locale);
};

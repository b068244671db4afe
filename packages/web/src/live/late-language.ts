import { maskSecrets, NO_LANGUAGE, type Language } from '@yarnboard/domain';

/** Rules about language that are loaded when somebody first needs them. */
export type LateLanguage = Language & {
  /** They are there from now on: what was decided without them may be decided differently. */
  readonly onLoaded: (listener: () => void) => void;
};

/**
 * Most visits write no finding, so the page starts without these rules. Until they are there nothing is said to contradict anything: that is told by the
 * server, which decides anyway. Once they are, what is still proposed is decided again.
 */
export const createLateLanguage = (load: () => Promise<Language> = loadLanguage): LateLanguage => {
  const listeners = new Set<() => void>();
  let language = NO_LANGUAGE;
  let isAsked = false;
  const ask = async (): Promise<void> => {
    isAsked = true;
    try {
      language = await load();
      for (const listener of listeners) listener();
    } catch {
      // The server is away, and with it the rules. It tells what it finds when it is back; the next finding asks again.
      isAsked = false;
    }
  };
  return {
    contradictions: (text, others, most) => {
      if (!isAsked && others.length > 0) void ask();
      return language.contradictions(text, others, most);
    },
    // Only the server has read what was said, so its words are the ones that count.
    summarise: (material) => language.summarise(material),
    tagsFor: (material) => language.tagsFor(material),
    packageNature: (text) => language.packageNature(text),
    resultShape: (text) => language.resultShape(text),
    claimsIn: (text) => language.claimsIn(text),
    skillFit: (text, specialties) => language.skillFit(text, specialties),
    onLoaded: (listener) => void listeners.add(listener),
  };
};

const loadLanguage = async (): Promise<Language> => {
  const { createLanguage } = await import('@yarnboard/language');
  return createLanguage({ mask: (text) => maskSecrets(text).text });
};

import { maskSecrets, NO_LANGUAGE, type Language } from '@yarnboard/domain';

/** Language rules that are loaded on first use. */
export type LateLanguage = Language & {
  /** They are available from now on: earlier decisions may turn out differently. */
  readonly onLoaded: (listener: () => void) => void;
};

/**
 * Most visits write no finding, so the page starts without these rules. Until they are loaded, nothing counts as a contradiction: the server decides
 * anyway. Then pending proposals are decided again.
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
      // The server is away, and with it the rules. It reports contradictions when it is back; the next finding tries again.
      isAsked = false;
    }
  };
  return {
    contradictions: (text, others, most) => {
      if (!isAsked && others.length > 0) void ask();
      return language.contradictions(text, others, most);
    },
    // Only the server has the messages, so its summary is the one that counts.
    summarise: (material) => language.summarise(material),
    tagsFor: (material) => language.tagsFor(material),
    packageNature: (text) => language.packageNature(text),
    resultShape: (text) => language.resultShape(text),
    claimsIn: (text) => language.claimsIn(text),
    skillFit: (text, specialties) => language.skillFit(text, specialties),
    skillGroups: (wanted, lists) => language.skillGroups(wanted, lists),
    onLoaded: (listener) => void listeners.add(listener),
  };
};

const loadLanguage = async (): Promise<Language> => {
  const { createLanguage } = await import('@yarnboard/language');
  return createLanguage({ mask: (text) => maskSecrets(text).text });
};

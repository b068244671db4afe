import { fieldsOf, listOf, textOf, type Fields } from '../../shared/operation-parts.ts';

export type Question = {
  readonly question: string;
  readonly header: string;
  readonly isMultiple: boolean;
  readonly options: readonly { readonly label: string; readonly description: string }[];
};

/** The questions that Claude asks through its own tool; null for every other tool, and for an input that can't be read as questions. */
export const questionsIn = (tool: string, input: Fields): readonly Question[] | null => {
  if (tool !== 'AskUserQuestion') return null;
  const questions = listOf(input['questions']).map(fieldsOf);
  const read = questions.map((one): Question => ({
    question: textOf(one['question']) ?? '',
    header: textOf(one['header']) ?? '',
    isMultiple: one['multiSelect'] === true,
    options: listOf(one['options'])
      .map(fieldsOf)
      .map((option) => ({ label: textOf(option['label']) ?? '', description: textOf(option['description']) ?? '' })),
  }));
  // Answers are keyed by the text of their question.
  const areApart = new Set(read.map(({ question }) => question)).size === read.length;
  return read.length > 0 && areApart && read.every(({ question }) => question !== '') ? read : null;
};

export type GivenAnswer = { readonly chosen: readonly string[]; readonly words: string };

/** An answer in the tool's format: the chosen labels, then the words written beside them. */
const answerText = ({ chosen, words }: GivenAnswer): string => [...chosen, ...(words.trim() === '' ? [] : [words.trim()])].join(', ');

/** The tool's input once all questions are answered; null until then. */
export const answeredInput = (input: Fields, questions: readonly Question[], answers: ReadonlyMap<string, GivenAnswer>): Fields | null => {
  const told = questions.map(({ question }) => [question, answerText(answers.get(question) ?? { chosen: [], words: '' })] as const);
  return told.some(([, text]) => text === '') ? null : { ...input, answers: Object.fromEntries(told) };
};

/** Parses an input that the user wrote: an object, or what is wrong with it. */
export const inputFrom = (text: string): { readonly input: Fields } | { readonly fault: string } => {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return { fault: 'It has to be an object: { … }' };
    return { input: fieldsOf(read) };
  } catch (cause) {
    return { fault: `This is not JSON: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
};

/** PAGE-421: an MCP tool by its own name and that of its server. */
export const toolWords = (tool: string): string => {
  const [, server, name] = /^mcp__(.+?)__(.+)$/u.exec(tool) ?? [];
  return server === undefined || name === undefined ? tool : `${name} of ${server}`;
};

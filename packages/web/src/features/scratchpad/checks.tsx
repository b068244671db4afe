import type { Checks } from '@yarnboard/domain';
import { Check, X } from 'lucide-react';

export type CheckName = keyof Checks;

type CheckLook = {
  readonly name: CheckName;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  /** The good answer. */ readonly wanted: boolean;
};

export const CHECKS: readonly CheckLook[] = [
  { name: 'fitsTask', question: 'Fits the task?', yes: 'fits the task', no: 'doesn’t fit the task', wanted: true },
  { name: 'evidenceSupports', question: 'Evidence supports it?', yes: 'evidence supports it', no: 'evidence doesn’t support it', wanted: true },
  { name: 'contradicts', question: 'Contradicts other findings?', yes: 'contradicts other findings', no: 'no contradictions', wanted: false },
];

/** The checks the curator made; the others are left out. */
export const ChecksMade = ({ checks }: { readonly checks: Checks }) => {
  const made = CHECKS.flatMap(({ name, yes, no, wanted }) => {
    const answer = checks[name];
    return answer === null ? [] : [{ name, text: answer ? yes : no, isGood: answer === wanted }];
  });
  return made.length === 0 ? null : (
    <ul className="checks" aria-label="Checks">
      {made.map(({ name, text, isGood }) => (
        <li key={name} className={isGood ? 'checks-good' : 'checks-bad'}>
          {isGood ? <Check aria-hidden /> : <X aria-hidden />}
          {text}
        </li>
      ))}
    </ul>
  );
};

import type { Checks } from '@yarnboard/domain';
import { Check, X } from 'lucide-react';

export type CheckName = keyof Checks;

type CheckLook = {
  readonly name: CheckName;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  /** The answer one hopes for. */ readonly wanted: boolean;
};

export const CHECKS: readonly CheckLook[] = [
  { name: 'fitsTask', question: 'Fits the task?', yes: 'fits the task', no: 'does not fit the task', wanted: true },
  { name: 'evidenceSupports', question: 'Evidence supports it?', yes: 'evidence supports it', no: 'evidence does not support it', wanted: true },
  { name: 'contradicts', question: 'Contradicts others?', yes: 'contradicts others', no: 'contradicts nothing', wanted: false },
];

/** What the curator looked at. What was not is not shown. */
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

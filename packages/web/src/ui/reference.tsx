import { findRefs, formatRef, parseRef } from '@yarnboard/domain';
import { printable } from '@yarnboard/transcript';
import { useContext, type ReactNode } from 'react';
import { Link } from 'wouter';
import './reference.css';
import { ReferenceTitles } from './reference-titles.ts';

/** The path of a reference: `/refs/…` resolves it. Null if the text isn't a reference. */
export const referencePath = (text: string): string | null => {
  const ref = parseRef(text);
  return ref.ok ? `/refs/${encodeURIComponent(formatRef(ref.value))}` : null;
};

/** A reference as a link, by its short name if it has one and in full on hover; any other text stays as it is. */
export const Reference = ({ to, children = shortName(to) }: { readonly to: string; readonly children?: ReactNode }) => {
  const path = referencePath(to);
  const title = useContext(ReferenceTitles)(to);
  const shown = title ?? children;
  return path === null ? (
    children
  ) : (
    <Link href={path} className="reference" title={shown === to ? undefined : to}>
      {shown}
    </Link>
  );
};

/** "Finding 2" for SCRATCH-4:FINDING-2. */
export const shortName = (ref: string): string => {
  const [, type, number] = /^(?:SCRATCH|SB|GOLD)-\d+:([A-Z]+)-(\d+)$/u.exec(ref) ?? [];
  return type === undefined || number === undefined ? ref : `${type.charAt(0)}${type.slice(1).toLowerCase()} ${number}`;
};

/** PAGE-2, PAGE-5: a plain text with its references as links. */
export const withReferences = (written: string): ReactNode => {
  const text = printable(written);
  const found = findRefs(text);
  if (found.length === 0) return text;
  return [
    ...found.flatMap(({ from, to }, n) => [
      text.slice(found[n - 1]?.to ?? 0, from),
      <Reference key={from} to={text.slice(from, to)}>
        {text.slice(from, to)}
      </Reference>,
    ]),
    text.slice(found.at(-1)?.to),
  ];
};

import { MODES, STANDING_ONLY } from './search-address.ts';

/** How to search, and whether to include what no longer stands. */
export type Scope = { readonly mode: (typeof MODES)[number]['value']; readonly standing: '' | '1' };

type ScopeProps = { readonly scope: Scope; readonly onChange: (part: Partial<Scope>) => void };

/** PAGE-242, PAGE-244: two buttons next to the search box. */
export const PaletteScope = ({ scope: { mode, standing }, onChange }: ScopeProps) => {
  const at = MODES.findIndex(({ value }) => value === mode);
  return (
    <>
      <button
        type="button"
        className="palette-mode"
        aria-pressed={standing !== ''}
        title={STANDING_ONLY.hint}
        onClick={() => onChange({ standing: standing === '' ? '1' : '' })}
      >
        {STANDING_ONLY.label}
      </button>
      <button
        type="button"
        className="palette-mode"
        title="Search by whatever finds best, by words, or by meaning"
        onClick={() => onChange({ mode: MODES[(at + 1) % MODES.length]?.value ?? '' })}
      >
        <span className="visually-hidden">Search by: </span>
        {MODES[at]?.label}
      </button>
    </>
  );
};

import './item-choice.css';

export type ItemChoiceProps = {
  readonly label: string;
  /** The text for an empty list. */
  readonly none: string;
  readonly items: readonly { readonly ref: string; readonly words: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** A choice among some things, each with its description. */
export const ItemChoice = ({ label, none, items, chosen, onChange }: ItemChoiceProps) => (
  <fieldset className="item-choice">
    <legend className="field-label">{label}</legend>
    {items.length === 0 ? (
      <p className="field-hint">{none}</p>
    ) : (
      <ul className="item-choice-list">
        {items.map(({ ref, words }) => (
          <li key={ref}>
            <label className="item-choice-one">
              <input
                type="checkbox"
                checked={chosen.includes(ref)}
                onChange={(event) =>
                  onChange(items.map((item) => item.ref).filter((one) => (one === ref ? event.target.checked : chosen.includes(one))))
                }
              />
              <span className="item-choice-words">
                <span className="item-choice-ref">{ref}</span> {words}
              </span>
            </label>
          </li>
        ))}
      </ul>
    )}
  </fieldset>
);

/** How to ask. */
export const SearchHints = () => (
  <section className="search-hints" aria-labelledby="search-hints">
    <h2 id="search-hints">How to ask</h2>
    <dl>
      {HINTS.map(([example, meaning]) => (
        <div key={example}>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </section>
);

const HINTS = [
  ['pool exhausted', 'both words, in any order'],
  ['"pool exhausted"', 'these words one after the other'],
  ['pool -test', 'the first word without the second'],
  ['connec*', 'every word that begins like this'],
  ['db.query(sql', 'code, as it is written'],
  ['conection', 'misspelled words are found as well'],
  ['MSG-12', 'a reference leads to its place'],
] as const;

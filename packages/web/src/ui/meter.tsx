import './meter.css';

/** A usage meter, as a bar and in words; never by its colour alone. */
export const Meter = ({
  label,
  used,
  limit,
  text,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** "3 of 5" */
  readonly text: string;
}) => {
  const share = limit <= 0 ? 1 : Math.min(1, used / limit);
  return (
    <div className="meter">
      <span className="meter-label">{label}</span>
      <span
        className={`meter-bar${share >= 1 ? ' meter-full' : share >= NEAR ? ' meter-near' : ''}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, used)}
        aria-valuenow={used}
        aria-valuetext={text}
      >
        <span className="meter-fill" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="meter-text numbers">{text}</span>
    </div>
  );
};

const NEAR = 0.8;

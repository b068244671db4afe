import { printable, printableLine } from '@yarnboard/transcript';
import { useId, useState } from 'react';
import type { Fields } from '../../shared/operation-parts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { answeredInput, type GivenAnswer, type Question } from './questions.ts';

type QuestionFormProps = {
  readonly questions: readonly Question[];
  readonly input: Fields;
  readonly isSending: boolean;
  readonly onAnswer: (input: Fields) => void;
  readonly onDecline: () => void;
};

/** PAGE-421: Claude's questions, with their choices and a field for your own words. */
export const QuestionForm = ({ questions, input, isSending, onAnswer, onDecline }: QuestionFormProps) => {
  const [answers, setAnswers] = useState<ReadonlyMap<string, GivenAnswer>>(new Map());
  const answered = answeredInput(input, questions, answers);
  return (
    <Form
      className="question-form"
      aria-label="Answer"
      onSubmit={() => {
        if (answered !== null && !isSending) onAnswer(answered);
      }}
    >
      {questions.map((one) => (
        <OneQuestion
          key={one.question}
          asked={one}
          answer={answers.get(one.question) ?? NOTHING}
          onAnswer={(answer) => setAnswers(new Map(answers).set(one.question, answer))}
        />
      ))}
      <div className="permission-buttons">
        <Button onClick={onDecline}>Don’t answer</Button>
        <Button variant="primary" type="submit" isBusy={isSending} disabled={answered === null}>
          Answer
        </Button>
      </div>
    </Form>
  );
};

type OneQuestionProps = { readonly asked: Question; readonly answer: GivenAnswer; readonly onAnswer: (answer: GivenAnswer) => void };

const OneQuestion = ({ asked: { question, isMultiple, options }, answer, onAnswer }: OneQuestionProps) => {
  const name = useId();
  const { chosen, words } = answer;
  const choose = (label: string, isChosen: boolean): void => {
    const others = isMultiple ? chosen.filter((one) => one !== label) : [];
    // A question with a single answer keeps only the latest choice.
    onAnswer({ chosen: isChosen ? [...others, label] : others, words: isMultiple ? words : '' });
  };
  return (
    <fieldset className="question">
      <legend>{printable(question)}</legend>
      {options.map(({ label, description }) => (
        <label key={label} className="question-choice">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(label)}
            onChange={({ target }) => choose(label, target.checked)}
          />
          <span>
            {printableLine(label)}
            {description === '' ? null : <span className="question-about">{printable(description)}</span>}
          </span>
        </label>
      ))}
      <TextField
        label="In your own words"
        value={words}
        onChange={({ target }) => onAnswer({ chosen: isMultiple ? chosen : [], words: target.value })}
      />
    </fieldset>
  );
};

const NOTHING: GivenAnswer = { chosen: [], words: '' };

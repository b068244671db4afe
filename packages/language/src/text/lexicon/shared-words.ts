/** Words that deny what follows them. */
export const DENYING = 'no not never none nothing nobody neither nor without';

/** File name extensions. */
export const EXTENSIONS = 'json ts tsx js jsx mjs yaml yml toml py go rs md csv sql txt xml html css conf cfg lock gradle java kt rb sh';

export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  dozen: 12,
};

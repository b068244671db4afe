/**
 * How much processor time something takes, in milliseconds. What else the machine has to do is not in it, unlike in the time by the clock (GATE-5).
 */
export const cpuTimeOf = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

import { Asterisk, Bot, CodeXml, Gem, Hexagon, Origami, Pi, Plane, type LucideIcon } from 'lucide-react';
import { isUsual, toolName } from './tools.ts';
import './tool-sign.css';

/** PAGE-220: the program of a session. The usual one is shown by its icon only: most rows of a list would repeat its name. */
export const ToolSign = ({ tool }: { readonly tool: string }) => {
  const { icon: Icon, name } = signOf(tool);
  return isUsual(tool) ? (
    <span className="tool-sign" role="img" aria-label={name} title={name}>
      <Icon aria-hidden />
    </span>
  ) : (
    <span className="tool-sign">
      <Icon aria-hidden />
      {name}
    </span>
  );
};

const signOf = (tool: string): { readonly icon: LucideIcon; readonly name: string } => ({ icon: ICONS.get(tool) ?? Bot, name: toolName(tool) });

const ICONS: ReadonlyMap<string, LucideIcon> = new Map([
  ['claude-code', Asterisk],
  ['codex', Hexagon],
  ['opencode', CodeXml],
  ['gemini', Gem],
  ['qwen', Origami],
  ['pi', Pi],
  ['copilot', Plane],
]);

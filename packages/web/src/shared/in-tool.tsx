import { Archive, Trash2 } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import { toolName } from './tools.ts';

/** PAGE-340: what became of a session in its tool. What was read of it stays here. */
export const InToolMark = ({ tool, inTool }: { readonly tool: string; readonly inTool: 'archived' | 'deleted' | undefined }) => {
  if (inTool === undefined) return null;
  const words = `${inTool} in ${toolName(tool)}`;
  return inTool === 'archived' ? (
    <Badge icon={Archive} title={`${toolName(tool)} has archived this session. Everything in it is still here.`}>
      {words}
    </Badge>
  ) : (
    <Badge tone="warn" icon={Trash2} title={`This session is gone from ${toolName(tool)}. Everything that was imported is still here.`}>
      {words}
    </Badge>
  );
};

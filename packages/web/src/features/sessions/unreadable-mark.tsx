import { TriangleAlert } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { counted } from '../../ui/wording.ts';

/** PAGE-171: warns that some lines of the session are not shown, because they are not valid records. */
export const UnreadableMark = ({ lines }: { readonly lines: number }) =>
  lines === 0 ? null : (
    <Badge tone="warn" icon={TriangleAlert} title="The file is damaged or cut off here. These lines are kept as is, but not shown.">
      {counted(lines, 'unreadable line')}
    </Badge>
  );

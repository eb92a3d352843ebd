// The message names 'motto'.
import { fields, query, t, TE } from 'countersign'

export const getMotto = query({
  path: 'get_motto',
  summary: 'Tells the motto.',
  request: fields({ organizationId: t.string }),
  answer: fields({ motto: t.string }),
  run: () => TE.right({ motto: 1 }),
})

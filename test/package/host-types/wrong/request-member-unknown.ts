// The message names 'userId'.
import { fields, query, t, TE } from 'countersign'

export const getMotto = query({
  path: 'get_motto',
  summary: 'Tells the motto.',
  request: fields({ organizationId: t.string }),
  answer: fields({ motto: t.string }),
  run: ({ userId }) => TE.right({ motto: userId }),
})

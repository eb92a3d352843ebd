// The message names 'userId'.
import { query, t } from 'countersign'

export const getMotto = query({
  path: 'get_motto',
  summary: 'Tells the motto.',
  request: t.fields({ organizationId: t.string }),
  answer: t.fields({ motto: t.string }),
  run: ({ userId }) => ({ motto: userId }),
})

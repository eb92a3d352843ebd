// The message names 'text'.
import { state, t } from 'countersign'

export const mottos = state({
  name: 'mottos',
  version: 1,
  codec: t.fields({ text: t.string }),
  initial: () => ({ txt: '' }),
})

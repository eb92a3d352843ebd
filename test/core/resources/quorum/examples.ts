import { updateRootQuorum } from '../../../../core/resources/quorum/update-root-quorum.ts'
import { example, NOBODY } from '../example.ts'

export const examples = [
  example(updateRootQuorum, {
    valid: ({ root }) => ({ threshold: 1, userIds: [root] }),
    refused: [{ threshold: 1, userIds: [NOBODY] }, 'REQUEST_INVALID'],
  }),
]

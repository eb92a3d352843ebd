import { listAppProofs } from '../../../../core/resources/proof/list-app-proofs.ts'
import { asking, NOBODY } from '../example.ts'

export const examples = [
  asking(
    listAppProofs,
    async ({ activity }) => ({ request: { activityId: (await activity()).id }, shows: { appProofs: [] } }),
    { refused: [{ activityId: NOBODY }, 'ACTIVITY_NOT_FOUND'] },
  ),
]

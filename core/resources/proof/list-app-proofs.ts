import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { AppProof } from '../../view/app-proof.ts'

export const listAppProofs = query({
  path: 'list_app_proofs',
  summary: 'Lists what the deployment signs of a completed activity whose body asks for app proofs.',
  request: t.fields({ organizationId: t.Uuid, activityId: t.Uuid }),
  answer: t.fields({ appProofs: t.readonlyArray(AppProof) }),
  run: async ({ activityId }, context) => ({ appProofs: (await context.activity(activityId)).appProofs }),
})

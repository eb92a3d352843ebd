import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { TvcAppView, tvcAppView } from './tvc-app-view.ts'
import { tvcApps } from './tvc-apps.ts'

export const getTvcApp = query({
  path: 'get_tvc_app',
  summary: 'Shows an app of the verifiable cloud.',
  request: t.fields({ organizationId: t.Uuid, tvcAppId: t.Uuid }),
  answer: t.fields({ tvcApp: TvcAppView }),
  run: ({ tvcAppId }, { organization, find }) => ({
    tvcApp: tvcAppView(organization)(find('TVC app', tvcApps, tvcAppId)),
  }),
})

import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { wholeList } from '../whole-list.ts'
import { TvcAppView, tvcAppView } from './tvc-app-view.ts'
import { tvcApps } from './tvc-apps.ts'

export const listTvcApps = query({
  path: 'list_tvc_apps',
  summary: 'Lists all apps of the verifiable cloud.',
  request: InOrganization,
  answer: t.fields({ tvcApps: t.readonlyArray(TvcAppView) }),
  run: (_, { organization }) => wholeList('tvcApps', tvcApps.of(organization), tvcAppView(organization)),
})

import type { Catalogue } from '../definition/catalogue.ts'
import type { AdmitContext } from '../definition/operation.ts'
import type { Sender } from '../organization/ip-allowlists.ts'
import type { Organization } from '../organization/state.ts'

/** The context of `admit`, for the state and the moment of a turn. */
export const admitContext = (
  { catalogue: { language, timeZones } }: { readonly catalogue: Catalogue },
  organization: Organization,
  atMs: number,
  sender: Sender,
): AdmitContext => ({ organization, atMs, language, timeZones, sender })

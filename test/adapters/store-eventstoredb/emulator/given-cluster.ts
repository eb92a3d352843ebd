/** A real cluster, whose nodes tests kill and start by a command that somebody gives. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type GivenCluster = {
  readonly connectionString: string
  /** `HOST:PORT` of the node that the others take for the leader. */
  readonly leader: () => Promise<string>
  readonly followers: () => Promise<readonly string[]>
  /** Runs the command that was given, on one node. */
  readonly run: (verb: NodeVerb, node: string) => Promise<void>
}

/** `kill`: SIGKILL; `start`: as it ran before; `freeze` and `thaw`: SIGSTOP and SIGCONT. */
export type NodeVerb = 'kill' | 'start' | 'freeze' | 'thaw'

/** Why there is none, in one line, if the variables do not name one. */
export const givenCluster = (): GivenCluster | string => {
  const { EVENTSTOREDB_URL: url = '', EVENTSTOREDB_NODE_COMMAND: command = '' } = process.env
  const hosts = /^(?:esdb|kurrentdb):\/\/([^?/@]+)/.exec(url)?.[1]?.split(',') ?? []
  if (hosts.length < 3 || command === '')
    return 'EVENTSTOREDB_URL and EVENTSTOREDB_NODE_COMMAND name no cluster of three, without users'
  const members = async (): Promise<readonly Member[]> => {
    const [found] = await Promise.any(hosts.map(async (host) => [await membersAt(host)]))
    return found ?? []
  }
  const placesOf = async (state: string): Promise<readonly string[]> =>
    (await members())
      .filter((member) => member.isAlive && member.state === state)
      .map(({ httpEndPointIp, httpEndPointPort }) => `${httpEndPointIp}:${httpEndPointPort}`)
  return {
    connectionString: url,
    leader: async () => {
      const [leader] = await placesOf('Leader')
      if (leader === undefined) throw new Error('the cluster has no leader')
      return leader
    },
    followers: () => placesOf('Follower'),
    run: async (verb, node) => void (await execute(command, [verb, node])),
  }
}

const execute = promisify(execFile)

type Member = {
  readonly state: string
  readonly isAlive: boolean
  readonly httpEndPointIp: string
  readonly httpEndPointPort: number
}

const membersAt = async (host: string): Promise<readonly Member[]> => {
  const answer = await fetch(`http://${host}/gossip?format=json`, { signal: AbortSignal.timeout(2_000) })
  // The server's own format.
  return ((await answer.json()) as { readonly members: readonly Member[] }).members
}

/* The flags of the commands about policies. */
import { Option, type Command } from 'commander'
import { CLAUSES } from '../../core/policy/refusal.ts'
import { command, commandGroup, type Define } from './define-command.ts'
import { checkDefaultStore, readModelsFlag, storeFlag, storeUnless, wholeNumber } from './flags.ts'
import { resources } from './log-commands.ts'
import type { PolicyCheckOptions } from './policy-check.ts'
import type { PolicyExplainOptions } from './policy-explain.ts'
import type { PolicyFileOptions } from './policy-file.ts'
import type { PolicySimulateOptions } from './policy-simulate.ts'

export const policy: Define = (program, ends) => {
  const group = commandGroup(program, 'policy', 'Looks at policies: checks them, explains decisions, tries others.')
  for (const define of [policyCheck, policyExplain, policySimulate]) define(group, ends)
}

type CheckOptions = PolicyCheckOptions & PolicyFileOptions & { readonly store: string }

const policyCheck: Define = (group, ends) =>
  command(
    group,
    'check',
    'Checks policies of a file, or warns of policies of a store that may not do what they say. ' +
      'Exit code 0 if nothing is wrong, 1 with a line for each thing that is.',
    'policy check policies.json',
  )
    .argument(
      '[file]',
      'JSON: a list of policies, as create_policies takes it or list_policies answers it; - is standard input',
    )
    .addOption(new Option('--clause <clause>', 'FILE is one bare expression: this clause').choices(CLAUSES))
    .option('--json', 'print what is wrong with FILE as JSON')
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .addOption(new Option('--organization <id>', 'only the policies of this organization'))
    .option('--condition <text>', 'check this condition, instead of the policies of a store')
    .option('--consensus <text>', 'check this consensus, instead of the policies of a store')
    .addOption(resources())
    .action(async (file: string | undefined, options: CheckOptions, given: Command) => {
      const isText = options.condition !== undefined || options.consensus !== undefined
      const store = storeUnless(
        given,
        isText || file !== undefined,
        options.store,
        'a file, --store, or --condition and --consensus',
      )
      const isOther = isText || store !== undefined || options.organization !== undefined
      if (file !== undefined) ends(await (await import('./policy-file.ts')).policyFile(file, options, isOther))
      else ends(await (await import('./policy-check.ts')).policyCheck({ ...options, store }))
    })

const policyExplain: Define = (group, ends) =>
  command(
    group,
    'explain',
    'Says why a decision came out as it did: the rule, the quorum, the approvals, and each policy with its expressions.',
    'policy explain --store sqlite:data/countersign.db --activity 5b2b9e06-9f0b-8f3f-8c9b-0a5b6a1f2c3d',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .requiredOption('--activity <id>', 'the activity')
    .option('--organization <id>', 'its organization; it is looked for if this is left out')
    .addOption(
      new Option(
        '--vote <number>',
        'the decision after this vote; 1 is the request; the last one if left out',
      ).argParser(wholeNumber),
    )
    .option('--json', 'print the explanation as JSON')
    .addOption(resources())
    .action(async (options: PolicyExplainOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./policy-explain.ts')).policyExplain(options))
    })

const policySimulate: Define = (group, ends) =>
  command(
    group,
    'simulate',
    'Takes every decision of a log again with other policies, and lists those that come out otherwise.',
    'policy simulate --store sqlite:data/countersign.db --policies policies.json',
  )
    .addOption(storeFlag())
    .addOption(readModelsFlag())
    .requiredOption(
      '--policies <file>',
      'JSON: a list of policies, as create_policies takes it or list_policies answers it; - is standard input',
    )
    .option('--organization <id>', 'only decisions of this organization')
    .option('--from <date>', 'only decisions from this date on (RFC 3339)')
    .option('--to <date>', 'only decisions before this date')
    .option('--json', 'print a line of JSON for each decision that comes out otherwise, and one with the totals')
    .addOption(resources())
    .action(async (options: PolicySimulateOptions, given: Command) => {
      checkDefaultStore(given)
      ends(await (await import('./policy-simulate.ts')).policySimulate(options))
    })

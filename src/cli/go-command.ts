import { Command, Option } from 'commander'

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True']
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False']

/** A command whose switches can also be written `--switch=false`, as talosctl's can. */
export class GoCommand extends Command {
  override createCommand(name?: string): GoCommand {
    return new GoCommand(name)
  }

  override parseOptions(args: string[]): { operands: string[]; unknown: string[] } {
    return super.parseOptions(args.map((argument) => this.#withoutValue(argument)))
  }

  #withoutValue(argument: string): string {
    const [, name, value = ''] = /^--([\w-]+)=(\w+)$/.exec(argument) ?? []
    const isSwitch = this.options.some(({ long }) => long === `--no-${name}`)
    if (isSwitch && TRUE.includes(value)) return `--${name}`
    return isSwitch && FALSE.includes(value) ? `--no-${name}` : argument
  }
}

interface Switch {
  /** `--name`, or `-n, --name`. */
  readonly flags: string
  readonly description: string
  readonly isOn: boolean
}

/** Adds an option that is on or off. */
export function addSwitch(command: Command, { flags, description, isOn }: Switch): Command {
  const option = new Option(flags, isOn ? `${description} (default: true)` : description)
  command.addOption(option).addOption(new Option(`--no-${option.name()}`).hideHelp())
  return command.setOptionValueWithSource(option.attributeName(), isOn, 'default')
}

/** Takes `a,b` and being written several times, or both. */
export const list = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...(text === '' ? [] : text.split(',')),
]

/** Takes being written several times. */
export const each = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
]

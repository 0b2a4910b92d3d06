// What the status of every kind of ours has in common: the generation it was computed from, and
// standard conditions. A machine provider's conditions are its own.

import type { Status, StatusCases, StatusRefused } from './cases.ts'
import { wrongStatusTypeCases } from './wrong-types.cases.ts'

const condition: Status = {
  type: 'Ready',
  status: 'False',
  observedGeneration: 3,
  lastTransitionTime: '2030-01-01T00:00:00Z',
  reason: 'WaitingForEndpoint',
  message: 'waiting for a machine',
}

/** The part of a status that every kind has, with every field. */
export const standardStatus: Status = { observedGeneration: 3, conditions: [condition] }

const withCondition = (changes: Status): Status => ({ conditions: [{ ...condition, ...changes }] })

const badConditions = [
  { title: 'an empty type', field: 'type', value: '', says: 'should match' },
  { title: 'a type with a space', field: 'type', value: 'Not Ready', says: 'should match' },
  {
    title: 'a type of 317 characters',
    field: 'type',
    value: 'T'.repeat(317),
    says: 'may not be more than 316 bytes',
  },
  {
    title: 'a status that there is not',
    field: 'status',
    value: 'true',
    says: 'Unsupported value: "true"',
  },
  {
    title: 'a generation below zero',
    field: 'observedGeneration',
    value: -1,
    says: 'should be greater than or equal to 0',
  },
  {
    title: 'a day in place of a time',
    field: 'lastTransitionTime',
    value: '2030-01-01',
    says: 'must be of type date-time',
  },
  {
    title: 'an empty reason',
    field: 'reason',
    value: '',
    says: 'should be at least 1 chars long',
  },
  { title: 'a reason of two words', field: 'reason', value: 'Not yet', says: 'should match' },
  {
    title: 'a reason of 1025 characters',
    field: 'reason',
    value: 'R'.repeat(1025),
    says: 'may not be more than 1024 bytes',
  },
  {
    title: 'a message of 32769 characters',
    field: 'message',
    value: 'm'.repeat(32769),
    says: 'may not be more than 32768 bytes',
  },
]

const standardCases: StatusCases = {
  accepted: [
    ...['True', 'False', 'Unknown'].map((status) => ({
      title: `a condition that is ${status}`,
      status: withCondition({ status }),
    })),
    {
      title: 'a condition at every bound',
      status: withCondition({
        type: 'T'.repeat(316),
        reason: 'R'.repeat(1024),
        message: 'm'.repeat(32768),
        observedGeneration: 0,
      }),
    },
    {
      title: 'a condition with a prefix, a reason of one letter and no message',
      status: withCondition({ type: 'talos.example/Ready', reason: 'R', message: '' }),
    },
    {
      title: 'two conditions of two types',
      status: { conditions: [condition, { ...condition, type: 'Deleting' }] },
    },
    { title: 'the first generation', status: { observedGeneration: 0 } },
  ],
  refused: [
    ...badConditions.map(({ title, field, value, says }) => ({
      title: `a condition with ${title}`,
      status: withCondition({ [field]: value }),
      at: `status.conditions[0].${field}`,
      says,
    })),
    ...['type', 'status', 'lastTransitionTime', 'reason', 'message'].map((field) => ({
      title: `a condition without ${field}`,
      status: withCondition({ [field]: undefined }),
      at: `status.conditions[0].${field}`,
      says: 'Required value',
    })),
    {
      title: 'two conditions of one type',
      status: { conditions: [condition, { ...condition, status: 'True' }] },
      at: 'status.conditions[1]',
      says: 'Duplicate value',
    },
    {
      title: 'a generation below zero',
      status: { observedGeneration: -1 },
      at: 'status.observedGeneration',
      says: 'should be greater than or equal to 0',
    },
  ],
}

/** The cases of a kind's status, given one that has every field of it. */
export const statusCases = (
  own: Status,
  { accepted = [], refused = [] }: Partial<StatusCases> = {},
): StatusCases => {
  const full = { ...standardStatus, ...own }
  return {
    accepted: [
      { title: 'every field there is', status: full },
      { title: 'an empty status', status: {} },
      {
        title: 'a field that the schema does not know is dropped',
        status: { ...full, colour: 'blue' },
        becomes: full,
      },
      ...standardCases.accepted,
      ...accepted,
    ],
    refused: [...standardCases.refused, ...wrongStatusTypeCases(full), ...refused],
  }
}

/** Fields that hold a time: nothing else is one. */
export const notATime = (...fields: string[]): StatusRefused[] =>
  fields.map((field) => ({
    title: `${field} in words`,
    status: { [field]: 'yesterday' },
    at: `status.${field}`,
    says: 'must be of type date-time',
  }))

import { anApi } from '#test/an-api.ts'
import { faultsContract } from './faults-contract.ts'

faultsContract({ name: 'embedded API', start: () => anApi() })

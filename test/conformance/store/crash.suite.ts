import { crashContract } from './crash-contract.ts'

crashContract(200)

import { emptyDisk, memoryJournal } from "../support/memory-journal.js";
import { describeJournal } from "./journal.js";

describeJournal("the journal in memory", () => {
  const disk = emptyDisk();
  return { open: () => memoryJournal(disk) };
});

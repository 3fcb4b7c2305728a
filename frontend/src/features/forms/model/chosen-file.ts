/** What names a file that the server has taken before its form; nobody else knows it. */
export interface Ticket {
  ticket: string;
  /** The file that it stands for, so that the ticket of a replaced file does not count for the new one's. */
  name: string;
  size: number;
  type: string;
}

/** A file of a form. */
export interface ChosenFile {
  name: string;
  size: number;
  type: string;
  /** Null: only the server has it. */
  content: File | null;
  /** Null: it has to be sent. */
  ticket: Ticket | null;
}

/** A file that was chosen just now. */
export function chosen(content: File): ChosenFile {
  const { name, size, type } = content;
  return { name, size, type, content, ticket: null };
}

/** The files that the device and the server have, by field. */
export function together(contents: Record<string, File>, tickets: Record<string, Ticket>): Record<string, ChosenFile> {
  const files: Record<string, ChosenFile> = {};
  for (const [field, ticket] of Object.entries(tickets)) {
    const { name, size, type } = ticket;
    files[field] = { name, size, type, content: null, ticket };
  }
  for (const [field, content] of Object.entries(contents)) {
    const ticket = tickets[field];
    const isOfThisFile = ticket && ticket.name === content.name && ticket.size === content.size;
    files[field] = { ...chosen(content), ticket: isOfThisFile ? ticket : null };
  }
  return files;
}

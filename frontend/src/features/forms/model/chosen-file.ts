/** Identifies a file that was uploaded before its form; known to this device alone. */
export interface Ticket {
  ticket: string;
  /** The file that it belongs to, so that the ticket of a replaced file is not used for the new one. */
  name: string;
  size: number;
  type: string;
}

/** A file of a form. */
export interface ChosenFile {
  name: string;
  size: number;
  type: string;
  /** Null if only the server has it. */
  content: File | null;
  /** Null if it still has to be sent. */
  ticket: Ticket | null;
}

/** A newly chosen file. */
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

import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useRotation } from './use-rotation';

const step = vi.fn();

function Moving() {
  const rotation = useRotation(2000, step);
  return (
    <div data-testid="host" {...rotation.host}>
      <a href="/x">inside</a>
      <button type="button" data-pause="" onClick={rotation.toggle}>
        {rotation.paused ? 'Play' : 'Pause'}
      </button>
    </div>
  );
}

/** Whether the visitor asked for reduced motion. */
function prefer(reduced: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({ matches: reduced, media, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList,
  );
}

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
  step.mockReset();
  prefer(false);
});
afterEach(() => vi.useRealTimers());

describe('useRotation', () => {
  it('steps every two seconds', () => {
    render(<Moving />);
    wait(1999);
    expect(step).not.toHaveBeenCalled();
    wait(4001);
    expect(step).toHaveBeenCalledTimes(3);
  });

  it('stops while a mouse hovers over it, but not for touch', () => {
    render(<Moving />);
    fireEvent.pointerEnter(screen.getByTestId('host'), { pointerType: 'mouse' });
    wait(6000);
    expect(step).not.toHaveBeenCalled();
    fireEvent.pointerLeave(screen.getByTestId('host'));
    fireEvent.pointerEnter(screen.getByTestId('host'), { pointerType: 'touch' });
    wait(2000);
    expect(step).toHaveBeenCalledTimes(1);
  });

  it('stops while something in it has the focus', () => {
    render(<Moving />);
    act(() => screen.getByText('inside').focus());
    wait(6000);
    expect(step).not.toHaveBeenCalled();
  });

  it('is paused and started again with the button, which may keep the focus', () => {
    render(<Moving />);
    const button = screen.getByRole('button');
    act(() => button.focus());
    fireEvent.click(button);
    wait(6000);
    expect(step).not.toHaveBeenCalled();
    fireEvent.click(button);
    wait(2000);
    expect(step).toHaveBeenCalledTimes(1);
  });

  it('never moves with reduced motion', () => {
    prefer(true);
    render(<Moving />);
    wait(10_000);
    expect(step).not.toHaveBeenCalled();
  });
});

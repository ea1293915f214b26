/** As v0, without the fee. */
public class Account {
    static final int FEE = 25;

    private int balance;
    private final int overdraft;
    private boolean frozen;

    public Account(int overdraft) {
        if (overdraft < 0) {
            throw new IllegalArgumentException("the overdraft limit is negative");
        }
        this.overdraft = overdraft;
    }

    public int balance() {
        return balance;
    }

    public boolean isFrozen() {
        return frozen;
    }

    /** Puts money in; a debt that is paid off thaws the account. */
    public void deposit(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("the amount is not positive");
        }
        balance = Math.addExact(balance, amount);
        if (balance >= 0) {
            frozen = false;
        }
    }

    /** Takes money out, with a fee when that makes a debt; false if the limit does not allow it. */
    public boolean withdraw(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("the amount is not positive");
        }
        if (frozen) {
            return false;
        }
        long left = (long) balance - amount;
        if (left < -(long) overdraft) {
            frozen = true;
            return false;
        }
        balance = (int) left;
        return true;
    }
}

import evergreen.Sym;

/** Drives {@link Account}: any amounts, so that sums may overflow. */
public class AccountDriver {
    public static void operations3() {
        int overdraft = Sym.anInt("overdraft", 0, 1000000);
        Account account = new Account(overdraft);
        long exact = 0;
        for (int i = 1; i <= 3; i++) {
            int amount = Sym.anInt("amount" + i, 1, Integer.MAX_VALUE);
            if (Sym.aBoolean("deposit" + i)) {
                account.deposit(amount);
                exact += amount;
                Sym.check(account.balance() <= exact, "no money appears");
                Sym.check(account.balance() >= -overdraft, "a deposit makes no debt");
            } else if (account.withdraw(amount)) {
                exact -= amount;
            }
        }
    }

    public static int roundTrip(int amount) {
        Account account = new Account(0);
        account.deposit(amount);
        account.withdraw(amount);
        return account.balance();
    }
}
